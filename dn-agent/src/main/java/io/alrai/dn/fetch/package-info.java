/**
 * Packages of a Debian archive, without any tool of the machine
 * (docs/design/0067-fetch-of-mysql.md): the archive's signed list of lists comes in, then the list
 * of packages that it names, then the packages that are wanted with what they need; out go their
 * files, below one directory. Every step is checked by what the step before it said, and the first
 * by keys that Alrai ships. Blocking; one thread.
 */
@NullMarked
package io.alrai.dn.fetch;

import org.jspecify.annotations.NullMarked;
