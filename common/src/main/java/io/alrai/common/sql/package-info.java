/**
 * Texts for a mysqld: words of the program, names and values come in, one statement goes out, in
 * which nothing but the program's words can be words. Any thread.
 */
@NullMarked
package io.alrai.common.sql;

import org.jspecify.annotations.NullMarked;
