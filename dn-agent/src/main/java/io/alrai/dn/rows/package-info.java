/** Replies to reads of one table, kept until a commit touches a row that they may depend on. */
@NullMarked
package io.alrai.dn.rows;

import org.jspecify.annotations.NullMarked;
