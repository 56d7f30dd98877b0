/**
 * Questions of one node of the cluster to others. In: questions of a CN. Out: to every node that it
 * names, over connections which these have opened to the agents of DNs; their answers come back the
 * same way. Agents look into neither. Event loops.
 */
@NullMarked
package io.alrai.dn.ask;

import org.jspecify.annotations.NullMarked;
