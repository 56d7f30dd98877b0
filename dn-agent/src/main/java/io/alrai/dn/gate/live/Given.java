package io.alrai.dn.gate.live;

import io.alrai.common.id.TransactionId;

/**
 * What a gate gave to its mysqld: a client's transaction has both on its primary.
 *
 * @param decision whether it is the decision; else the XA COMMIT
 */
record Given(TransactionId id, boolean decision) {}
