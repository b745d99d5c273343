# Distribution of the studentized range by nested adaptive quadrature, for the
# rows of fixtures/oracles/00_functions.csv where R's own ptukey or qtukey is
# off by more than the tolerance.  Prints the rows given, with the value.
#
#   Rscript tests/r/studentized_range.R < rows > rows-with-values
#
# A row is "ptukey,q,cells,df,0" or "qtukey,p,cells,df,0".

piecewise <- function(f, ends, tolerance) {
	total <- 0
	for (i in seq_len(length(ends) - 1))
		total <- total + integrate(f, ends[i], ends[i + 1],
		    rel.tol = tolerance, subdivisions = 2000,
		    stop.on.error = FALSE)$value
	total
}

within_range <- function(w, cells) {
	sapply(w, function(w) {
		density <- function(z)
			cells * dnorm(z) * (pnorm(z) - pnorm(z - w))^(cells - 1)
		piecewise(density, c(-8, 0, 2, 4, 9 + w), 1e-12)
	})
}

lower <- function(q, cells, df) {
	inner <- function(s)
		within_range(q * s, cells) * 2 * s * df * dchisq(s^2 * df, df)
	piecewise(inner, c(1e-9, .3, .6, .9, 1.1, 1.5, 2.5, 6), 1e-11)
}

rows <- read.csv(file("stdin"), header = FALSE)
for (i in seq_len(nrow(rows))) {
	r <- rows[i, ]
	if (r$V1 == "ptukey") {
		value <- lower(r$V2, r$V3, r$V4)
	} else {
		near <- qtukey(r$V2, r$V3, r$V4)
		value <- uniroot(function(q) lower(q, r$V3, r$V4) - r$V2,
		    near * c(.99, 1.01), tol = 1e-12)$root
	}
	cat(sprintf("%s,%g,%g,%g,%g,%.12g\n", r$V1, r$V2, r$V3, r$V4, r$V5,
	    value))
}
