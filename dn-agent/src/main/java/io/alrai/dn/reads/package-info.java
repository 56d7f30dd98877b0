/**
 * Reads of mysqlds that follow (docs/design/0081): a view there shows one snapshot, since its
 * mysqld is fed exactly what the leader says that the snapshot has. OPENs of CNs come in, from any
 * thread; views go out, on their branches' loops. Holds of the feeder are bounded.
 */
@NullMarked
package io.alrai.dn.reads;

import org.jspecify.annotations.NullMarked;
