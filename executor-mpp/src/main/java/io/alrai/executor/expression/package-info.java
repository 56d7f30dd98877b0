/**
 * The functions that generated code calls for one value: arithmetic, dates and strings with MySQL's
 * semantics. In: numbers, addresses and lengths. Out: numbers and addresses. Static and pure; any
 * thread. The compiler of expressions is {@code codegen}.
 */
@NullMarked
package io.alrai.executor.expression;

import org.jspecify.annotations.NullMarked;
