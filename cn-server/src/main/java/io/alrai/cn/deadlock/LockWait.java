package io.alrai.cn.deadlock;

import io.alrai.common.id.DnId;

/**
 * One transaction waits for another's lock. Two looks that find an equal one have found the same
 * wait, not a later one.
 *
 * @param lock InnoDB's name of what is waited for
 * @param waiting the waiting transaction's number in that InnoDB
 * @param blocking the number of one that it waits for, which has the lock or is before it in line
 */
record LockWait(DnId dn, String lock, long waiting, long blocking) {}
