#include "base/plain.h"

#include <string.h>

size_t
plain_control(const char *text)
{
	unsigned char first = (unsigned char)text[0];
	unsigned char second = first == '\0' ? 0 : (unsigned char)text[1];

	if (first == '\0')
		return 0;
	if (first < ' ' || first == 0x7f)
		return 1;
	return first == 0xc2 && second >= 0x80 && second < 0xa0 ? 2 : 0;
}

char *
plain_make(char *text)
{
	for (char *at = text; *at != '\0'; at++)
		memset(at, ' ', plain_control(at));
	return text;
}
