/**
 * The file of a LOAD DATA LOCAL: cut into lines and fields, and sent on in parts, each to the
 * mysqld that has the rows' place, as a file of its own. In: the client's bytes, and places. Out:
 * what the mysqlds say of all parts. Virtual threads: one reads, one for each DN sends.
 */
@NullMarked
package io.alrai.cn.load;

import org.jspecify.annotations.NullMarked;
