/** Replies to reads of single rows, kept until a commit touches the row. */
@NullMarked
package io.alrai.dn.rows;

import org.jspecify.annotations.NullMarked;
