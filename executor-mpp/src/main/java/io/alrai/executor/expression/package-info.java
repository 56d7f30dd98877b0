/**
 * Compiles scalar expressions with MySQL's semantics. In: typed expressions. Out: code over
 * columns.
 */
@NullMarked
package io.alrai.executor.expression;

import org.jspecify.annotations.NullMarked;
