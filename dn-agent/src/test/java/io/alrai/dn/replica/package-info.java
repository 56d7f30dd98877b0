/**
 * What Alrai's groups of replicas count on that stock MySQL does, asked of real servers: what is
 * left of a mysqld that was killed, what a replica asks of its source, what may be changed without
 * a restart. One class for each fact; a version of MySQL that does otherwise fails them.
 */
@NullMarked
package io.alrai.dn.replica;

import org.jspecify.annotations.NullMarked;
