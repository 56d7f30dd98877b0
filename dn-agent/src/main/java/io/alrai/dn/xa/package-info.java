/**
 * Prepare, decide, commit and recover the branches of distributed transactions, and the tx_log
 * table. In: messages of coordinators and XA RECOVER. Out: outcomes. Blocking, on virtual threads.
 */
@NullMarked
package io.alrai.dn.xa;

import org.jspecify.annotations.NullMarked;
