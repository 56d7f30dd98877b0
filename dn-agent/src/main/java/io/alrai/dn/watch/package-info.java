/**
 * What a member sees of its own machine: how much room its disks have, whether they and its mysqld
 * answer, and what others did at that mysqld. In: a directory, a mysqld's socket. Out: findings;
 * what follows from them is decided by {@code dn.role}.
 */
@NullMarked
package io.alrai.dn.watch;

import org.jspecify.annotations.NullMarked;
