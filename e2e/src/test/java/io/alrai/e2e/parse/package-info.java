/**
 * Alrai's parsers accept the statements that a mysqld accepts, and do not run those that it calls
 * syntax errors. The statements come from a grammar, and from the scripts with small changes.
 */
@NullMarked
package io.alrai.e2e.parse;

import org.jspecify.annotations.NullMarked;
