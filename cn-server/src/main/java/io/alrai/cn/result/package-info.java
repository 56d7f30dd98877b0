/**
 * Result sets that the CN makes or merges, in the forms of both protocols. In: columns and rows.
 * Out: packets to the client. The thread of the statement.
 */
@NullMarked
package io.alrai.cn.result;

import org.jspecify.annotations.NullMarked;
