# Option effects and noise of a results file, by lm(), against the program's.
#
#   Rscript tests/r/agrees.R DATA.csv EFFECTS.tsv
#
# DATA is "mountmatrix report -f csv".  EFFECTS has a line per effect of
# "report -f json --keep-outliers": workload, metric, family, options joined
# with ":", pct, ci_lo, ci_hi, significant (1, 0), separated by tabs; a line
# whose options are "s" has the noise of a family of effects instead: s, df.
# Prints one line per figure that differs, then the counts.

arguments <- commandArgs(trailingOnly = TRUE)
data <- read.csv(arguments[1], comment.char = "#", check.names = FALSE,
    colClasses = "character", na.strings = NULL)
wanted <- read.delim(arguments[2], header = FALSE, colClasses = "character",
    na.strings = NULL, col.names = c("workload", "metric", "family",
    "options", "pct", "lo", "hi", "significant"))

first <- match("cell", names(data)) + 1
last <- match("block", names(data)) - 1
factors <- if (first <= last) names(data)[first:last] else character(0)

is_family <- function(cell, family)
	if (family == "") !grepl(":", cell) else
	    startsWith(cell, paste0(family, ":"))

# Half the product of the signs: the coefficient is the effect of the set.
sign_of <- function(levels)
	ifelse(levels == (if (all(levels %in% c("0", "1"))) "0" else
	    levels[1]), -1, 1)

fit_family <- function(workload, metric, family) {
	d <- data[data$workload == workload & data$metric == metric &
	    data$state == "ok" & is_family(data$cell, family), ]
	d$y <- log(as.numeric(d$value)) *
	    (if (d$better[1] == "higher") -1 else 1)
	varies <- Filter(function(f) length(unique(d[[f]])) == 2, factors)
	names_of <- sapply(varies, function(f)
		if (all(d[[f]] %in% c("0", "1"))) f else
		    paste0(f, "=", setdiff(d[[f]], d[[f]][1])[1]))
	sets <- unlist(lapply(seq_along(varies), function(size)
		combn(seq_along(varies), size, simplify = FALSE)),
	    recursive = FALSE)
	columns <- sapply(sets, function(set)
		Reduce(`*`, lapply(varies[set], function(f) sign_of(d[[f]])),
		    1) / 2)
	colnames(columns) <- sapply(sets, function(set)
		paste(names_of[set], collapse = ":"))
	blocks <- factor(paste(d$session, d$block))
	if (nlevels(blocks) > 1)
		lm(d$y ~ blocks + columns)
	else
		lm(d$y ~ columns)
}

near <- function(got, expected)
	abs(got - expected) <= 1e-8 + 1e-6 * abs(expected)

tested <- 0
wrong <- 0
compare <- function(what, got, expected) {
	tested <<- tested + 1
	if (is.na(got) || is.na(expected) || !near(got, expected)) {
		wrong <<- wrong + 1
		cat(sprintf("%s: program %.10g, R %.10g\n", what, got,
		    expected))
	}
}

for (i in seq_len(nrow(wanted))) {
	w <- wanted[i, ]
	model <- fit_family(w$workload, w$metric, w$family)
	where <- paste(w$workload, w$metric, w$family, w$options)
	if (w$options == "s") {
		compare(paste(where, "s"), as.numeric(w$pct), sigma(model))
		compare(paste(where, "df"), as.numeric(w$lo),
		    df.residual(model))
		next
	}
	name <- paste0("columns", w$options)
	if (!name %in% names(coef(model)))
		name <- "columns" # a single column has no name of its own
	interval <- suppressWarnings(confint(model, name))
	compare(paste(where, "pct"), as.numeric(w$pct),
	    unname(100 * expm1(coef(model)[name])))
	compare(paste(where, "lo"), as.numeric(w$lo),
	    100 * expm1(interval[1]))
	compare(paste(where, "hi"), as.numeric(w$hi),
	    100 * expm1(interval[2]))
}
cat(sprintf("%d of %d figures agree\n", tested - wrong, tested))
quit(status = if (wrong > 0 || tested == 0) 1 else 0)
