# Option effects and noise of a results file, by lm(), against the program's.
#
#   Rscript tests/r/agrees.R DATA.csv EFFECTS.tsv
#
# DATA is "mountmatrix report -f csv".  EFFECTS has a line per effect of
# "report -f json --keep-outliers": workload, metric, family, options joined
# with ":", pct, ci_lo, ci_hi, significant (1, 0), separated by tabs; a line
# whose options are "s" has the noise of the ranking instead: s, df.
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

rows_of <- function(workload, metric) {
	d <- data[data$workload == workload & data$metric == metric &
	    data$state == "ok", ]
	d$y <- log(as.numeric(d$value)) *
	    (if (d$better[1] == "higher") -1 else 1)
	d$in_block <- factor(paste(d$session, d$block))
	d
}

# The level that an effect's name calls "on": "su" is 1, "data=journal" is
# journal.
on_level <- function(factor, options) {
	named <- options[startsWith(options, paste0(factor, "="))]
	if (length(named) > 0)
		substring(named[1], nchar(factor) + 2) else "1"
}

# The column of a set is half the product of its signs, so that its
# coefficient is the effect of the set.
fit_family <- function(w) {
	d <- rows_of(w$workload, w$metric)
	d <- d[is_family(d$cell, w$family), ]
	same <- wanted$workload == w$workload & wanted$metric == w$metric &
	    wanted$family == w$family
	options <- unlist(strsplit(wanted$options[same], ":"))
	varies <- Filter(function(f) length(unique(d[[f]])) == 2, factors)
	on <- sapply(varies, on_level, options)
	names_of <- ifelse(on == "1", varies, paste0(varies, "=", on))
	sets <- unlist(lapply(seq_along(varies), function(size)
		combn(seq_along(varies), size, simplify = FALSE)),
	    recursive = FALSE)
	sign_of <- function(i) ifelse(d[[varies[i]]] == on[i], 1, -1)
	columns <- sapply(sets, function(set)
		Reduce(`*`, lapply(set, sign_of), 1) / 2)
	colnames(columns) <- sapply(sets, function(set)
		paste(sort(names_of[set]), collapse = ":"))
	if (nlevels(droplevels(d$in_block)) > 1)
		lm(d$y ~ d$in_block + columns)
	else
		lm(d$y ~ columns)
}

fit_cells <- function(w) {
	d <- rows_of(w$workload, w$metric)
	if (nlevels(d$in_block) > 1)
		lm(d$y ~ d$in_block + d$cell)
	else
		lm(d$y ~ d$cell)
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
	model <- if (w$options == "s") fit_cells(w) else fit_family(w)
	where <- paste(w$workload, w$metric, w$family, w$options)
	if (w$options == "s") {
		compare(paste(where, "s"), as.numeric(w$pct), sigma(model))
		compare(paste(where, "df"), as.numeric(w$lo),
		    df.residual(model))
		next
	}
	name <- paste0("columns", paste(sort(strsplit(w$options,
	    ":")[[1]]), collapse = ":"))
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
