/** LOAD DATA LOCAL: beside a plain mysqld, and of files that are larger than the CN's memory. */
@NullMarked
package io.alrai.e2e.load;

import org.jspecify.annotations.NullMarked;
