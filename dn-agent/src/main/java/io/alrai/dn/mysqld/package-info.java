/**
 * Finds or fetches a MySQL server, prepares data directories, starts, watches and stops mysqld.
 * Blocking; one supervisor thread per mysqld.
 */
@NullMarked
package io.alrai.dn.mysqld;

import org.jspecify.annotations.NullMarked;
