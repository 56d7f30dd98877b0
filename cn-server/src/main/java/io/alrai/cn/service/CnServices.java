package io.alrai.cn.service;

import io.alrai.gms.api.GmsService;

/**
 * What all sessions of a CN share.
 *
 * @param gms the catalog and its service
 * @param statements runs them
 * @param transactions what they need besides their session
 * @param clients what their connections share
 */
public record CnServices(
    GmsService gms,
    StatementServices statements,
    TransactionServices transactions,
    ClientServices clients) {}
