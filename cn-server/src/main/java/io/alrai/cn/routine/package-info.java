/**
 * Stored procedures and functions. In: a CALL, or a statement that calls functions, with their
 * texts from the catalog. Bodies are interpreted here, on the virtual thread that the session is
 * lent to; their statements and expressions take the same way as those of a client, one after the
 * other. Out: the values of functions, and the results of statements, each as one of several
 * results of the CALL.
 */
@NullMarked
package io.alrai.cn.routine;

import org.jspecify.annotations.NullMarked;
