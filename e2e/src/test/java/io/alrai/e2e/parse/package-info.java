/**
 * What a mysqld takes as a statement, Alrai's parsers take, and what it calls a syntax error, they
 * do not run: statements out of a grammar, and those of the scripts with small changes.
 */
@NullMarked
package io.alrai.e2e.parse;

import org.jspecify.annotations.NullMarked;
