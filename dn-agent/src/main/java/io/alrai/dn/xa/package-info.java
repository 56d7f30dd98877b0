/**
 * Prepare, decide, commit and recover the branches of distributed transactions, and the tx_log
 * table. Whatever decides or commits goes through the DN's gate. In: messages of coordinators, the
 * gate's word, XA RECOVER. Out: outcomes. On event loops; the resolver is a virtual thread.
 */
@NullMarked
package io.alrai.dn.xa;

import org.jspecify.annotations.NullMarked;
