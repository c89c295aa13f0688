"""What is measured rather than tested: `make demo` and `make bench`."""
