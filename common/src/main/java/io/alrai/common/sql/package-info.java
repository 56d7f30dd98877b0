/**
 * Texts for a mysqld. In: words of the program, names and values. Out: a statement in which only
 * the program's words can act as SQL. Any thread.
 */
@NullMarked
package io.alrai.common.sql;

import org.jspecify.annotations.NullMarked;
