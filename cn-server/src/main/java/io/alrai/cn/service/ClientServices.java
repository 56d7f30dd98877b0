package io.alrai.cn.service;

import io.alrai.cn.digest.StatementDigests;
import io.alrai.cn.protocol.Authentication;
import io.alrai.cn.protocol.LoginCounts;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.common.type.Collations;
import java.util.function.LongSupplier;

/**
 * What the connections of clients share.
 *
 * @param serverVersion as the greeting says it
 * @param authentication who may log in
 * @param sessions who is connected
 * @param settings equal settings are one object
 * @param collations what the mysqlds know
 * @param loginCounts of all connections
 * @param statementCounts of all statements
 * @param digests what statements cost, by shape
 * @param wallMillis milliseconds since 1970
 * @param startedMillis when this CN started, by that clock
 */
public record ClientServices(
    String serverVersion,
    Authentication authentication,
    SessionRegistry sessions,
    SettingsRegistry settings,
    Collations collations,
    LoginCounts loginCounts,
    StatementCounts statementCounts,
    StatementDigests digests,
    LongSupplier wallMillis,
    long startedMillis) {}
