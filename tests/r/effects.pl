# The effects of "mountmatrix report -f json" as tests/r/agrees.R wants them.
use strict;
use warnings;
use JSON::PP;

local $/ = undef;
my $report = decode_json(<STDIN>);
for my $w (@{ $report->{workloads} }) {
	for my $e (@{ $w->{effects} }) {
		next unless $e->{estimable};
		print join("\t", $w->{name}, $w->{metric}, $e->{family},
		    join(':', @{ $e->{options} }), $e->{pct}, $e->{ci_lo},
		    $e->{ci_hi}, $e->{significant} ? 1 : 0), "\n";
	}
	next unless $w->{noise}{known};
	my $cv = $w->{noise}{cv_pct} / 100;
	my $s = sqrt(log(1 + $cv * $cv));
	print join("\t", $w->{name}, $w->{metric}, '', 's', $s,
	    $w->{noise}{df}, 0, 0), "\n";
}
