/** The stream of the mysqld's binary log, received as a semi-synchronous replica. */
@NullMarked
package io.alrai.dn.binlog;

import org.jspecify.annotations.NullMarked;
