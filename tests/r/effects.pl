# The effects of "mountmatrix report -f json" as tests/r/agrees.R wants them.
use strict;
use warnings;
use JSON::PP;

local $/ = undef;
my $report = decode_json(<STDIN>);
for my $w (@{ $report->{workloads} }) {
	my %families;
	for my $e (@{ $w->{effects} }) {
		next unless $e->{estimable};
		$families{ $e->{family} } = 1;
		print join("\t", $w->{name}, $w->{metric}, $e->{family},
		    join(':', @{ $e->{options} }), $e->{pct}, $e->{ci_lo},
		    $e->{ci_hi}, $e->{significant} ? 1 : 0), "\n";
	}
	# the noise of the ranking is that of the effects in a single family
	next unless keys %families == 1;
	my ($family) = keys %families;
	my $cv = $w->{noise}{cv_pct} / 100;
	my $s = sqrt(log(1 + $cv * $cv));
	print join("\t", $w->{name}, $w->{metric}, $family, 's', $s,
	    $w->{noise}{df}, 0, 0), "\n";
}
