/**
 * The rows of cursors that clients have open by STMT_EXECUTE. In: the rows of a result, in the form
 * of the binary protocol, from the thread that makes them. Out: the same, as many as a STMT_FETCH
 * asks for. In between they are in memory or in a file, and no mysqld is needed for them.
 */
@NullMarked
package io.alrai.cn.cursor;

import org.jspecify.annotations.NullMarked;
