/**
 * The one exception of the project and its codes. In: what went wrong, said once, where it went
 * wrong. Out: MySQL's error number, SQLSTATE and a sentence for the client. Plain values; any
 * thread.
 */
@NullMarked
package io.alrai.common.error;

import org.jspecify.annotations.NullMarked;
