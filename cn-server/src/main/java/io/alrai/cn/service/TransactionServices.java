package io.alrai.cn.service;

import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.lock.Admission;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.cn.snapshot.SpreadPredictor;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.tx.branch.TransactionNumbers;

/**
 * What transactions need besides their session; all sessions of a CN share it.
 *
 * @param links ways to the DNs
 * @param numbers names of transactions
 * @param snapshots what is read at
 * @param spanning the open transactions over several DNs
 * @param admission what may begin while there are locks over the cluster
 * @param predictor which transactions stay on few DNs
 * @param counts of snapshots and commits over several DNs
 */
public record TransactionServices(
    DnLinks links,
    TransactionNumbers numbers,
    SnapshotClock snapshots,
    SpanningTransactions spanning,
    Admission admission,
    SpreadPredictor predictor,
    TransactionCounts counts) {}
