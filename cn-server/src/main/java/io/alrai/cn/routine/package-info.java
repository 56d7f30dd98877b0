/**
 * Stored procedures. In: a CALL, with the procedure's text from the catalog. The body is
 * interpreted here, on the virtual thread that the session is lent to; its statements and
 * expressions take the same way as those of a client, one after the other. Out: their results, each
 * as one of several results of the CALL.
 */
@NullMarked
package io.alrai.cn.routine;

import org.jspecify.annotations.NullMarked;
