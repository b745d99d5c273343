# mountmatrix: for GNU make and BSD make alike.
#
#   make demo    install what is missing, build, run the main job
#   make check   install what is missing, build, pass the tests
#
# A variant is a variable: make BUILD=build/asan SAN=-fsanitize=address check
.POSIX:

BUILD = build
PREFIX = /usr/local
DESTDIR =
MANDIR = ${PREFIX}/share/man
CC = cc
SAN =
WERROR =
SYSTEM != uname -s | tr 'A-Z' 'a-z'

OPTIMISE = -O2 -g
# the builder's own; without this line GNU make adds its -O1 to the above
CFLAGS =
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-qual \
	-Wformat=2 -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla \
	-Wwrite-strings -Wswitch-enum
FEATURES != case ${SYSTEM} in linux) echo -D_GNU_SOURCE;; \
	netbsd) echo -D_NETBSD_SOURCE;; openbsd) echo -D_BSD_SOURCE;; esac
PACKAGES != case ${SYSTEM} in linux) echo libconfuse libarchive sqlite3 blkid;; \
	*) echo libconfuse libarchive sqlite3;; esac
# make PKG_CONFIG='pkg-config --static' LDFLAGS=-static links statically
PKG_CONFIG = pkg-config
# empty before "deps" has run; the targets that need it make themselves anew.
# One by one, since a system's own libarchive comes without its .pc file.
PACKAGE_CFLAGS != for package in ${PACKAGES}; do \
	${PKG_CONFIG} --cflags $$package 2>/dev/null; done || true
PACKAGE_LIBS != for package in ${PACKAGES}; do \
	${PKG_CONFIG} --libs $$package 2>/dev/null || \
	case $$package in libarchive) echo -larchive;; esac; done
CMOCKA_LIBS != ${PKG_CONFIG} --libs cmocka 2>/dev/null || true

ALL_CFLAGS = -std=c11 ${FEATURES} -Isrc ${WARNINGS} ${WERROR} ${OPTIMISE} \
	${SAN} ${PACKAGE_CFLAGS} ${CFLAGS}
ALL_LIBS = ${PACKAGE_LIBS} -lm -lpthread

# platform/SYSTEM is what this system alone does, platform/bsd what all BSDs do
FAMILY != case ${SYSTEM} in *bsd|dragonfly) echo bsd;; *) echo ${SYSTEM};; esac
SRCS != ls src/*/*.c src/platform/${SYSTEM}/*.c src/platform/${FAMILY}/*.c \
	2>/dev/null | sort -u
MAIN = ${BUILD}/src/main.o
OBJS = ${SRCS:%.c=${BUILD}/%.o}
UNITS != ls tests/unit/*.c 2>/dev/null
UNIT_OBJS = ${UNITS:%.c=${BUILD}/%.o}
UNIT_PROGRAMS = ${UNITS:%.c=${BUILD}/%.t}
# programs that the .t scripts use: tests/helpers/X.c becomes build/tests/helpers/X
HELPERS != ls tests/helpers/*.c 2>/dev/null
HELPER_OBJS = ${HELPERS:%.c=${BUILD}/%.o}
HELPER_PROGRAMS = ${HELPERS:%.c=${BUILD}/%}
LIBRARY = ${BUILD}/libmountmatrix.a
PROGRAM = ${BUILD}/mountmatrix

# the compiler writes which headers an object needs (-MMD); all in one file,
# since BSD make includes no pattern.  A first build needs none, and "make deps"
# as root leaves no folder that the user could not write to.
DEPENDS != if test -d ${BUILD}; then find ${BUILD} -name '*.d' -exec cat {} + \
	>${BUILD}/depends 2>/dev/null; echo ${BUILD}/depends; \
	else echo /dev/null; fi

all: ${PROGRAM}

${PROGRAM}: ${MAIN} ${LIBRARY}
	${CC} ${SAN} ${LDFLAGS} -o $@ ${MAIN} ${LIBRARY} ${ALL_LIBS}

${LIBRARY}: ${OBJS}
	@rm -f $@
	@ar rcs $@ ${OBJS}

# one rule for every object: the source has the object's name without build/
${MAIN} ${OBJS} ${UNIT_OBJS} ${HELPER_OBJS}:
	@mkdir -p ${@D}
	@source=$@; source=$${source#${BUILD}/}; source=$${source%.o}.c; \
	echo "${CC} $$source"; \
	${CC} ${ALL_CFLAGS} -MMD -MP -c -o $@ $$source

${UNIT_PROGRAMS}: ${UNIT_OBJS} ${LIBRARY}
	@object=$@; object=$${object%.t}.o; echo "link $@"; \
	${CC} ${SAN} ${LDFLAGS} -o $@ $$object ${LIBRARY} ${CMOCKA_LIBS} ${ALL_LIBS}

${HELPER_PROGRAMS}: ${HELPER_OBJS} ${LIBRARY}
	@echo "link $@"; \
	${CC} ${SAN} ${LDFLAGS} -o $@ $@.o ${LIBRARY} ${ALL_LIBS}

tests-built: ${PROGRAM} ${UNIT_PROGRAMS} ${HELPER_PROGRAMS}

deps:
	@sh tests/deps.sh

demo: deps
	@${MAKE} all
	@sh tests/demo.sh ${PROGRAM}

check: deps
	@${MAKE} tests-built
	@sh tests/check.sh ${BUILD}

lint: deps
	@sh tests/lint/lint.sh

asan: deps
	@${MAKE} BUILD=build/asan \
	    SAN='-fsanitize=address,undefined -fno-sanitize-recover=undefined' \
	    tests-built
	@sh tests/asan.sh build/asan

valgrind: deps
	@${MAKE} tests-built
	@sh tests/valgrind.sh ${BUILD}

cross: deps
	@sh tests/cross.sh

install: all
	mkdir -p ${DESTDIR}${PREFIX}/sbin ${DESTDIR}${MANDIR}/man1 \
	    ${DESTDIR}${MANDIR}/man5 \
	    ${DESTDIR}${PREFIX}/share/mountmatrix/matrix \
	    ${DESTDIR}${PREFIX}/share/mountmatrix/fixtures
	install -m 755 ${PROGRAM} ${DESTDIR}${PREFIX}/sbin/mountmatrix
	install -m 644 src/cli/mountmatrix.1 ${DESTDIR}${MANDIR}/man1/
	install -m 644 src/config/mountmatrix.conf.5 \
	    src/fs/mountmatrix.options.5 ${DESTDIR}${MANDIR}/man5/
	install -m 644 matrix/*.conf ${DESTDIR}${PREFIX}/share/mountmatrix/matrix/
	install -m 644 fixtures/usr.mtree \
	    ${DESTDIR}${PREFIX}/share/mountmatrix/fixtures/

clean:
	rm -rf ${BUILD}

.PHONY: all tests-built deps demo check lint asan valgrind cross install clean

include ${DEPENDS}
