package io.alrai.cn.command;

import io.alrai.cn.admin.AdminExecutor;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.cursor.CursorRoom;
import io.alrai.cn.lock.Admission;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.protocol.Authentication;
import io.alrai.cn.protocol.LoginCounts;
import io.alrai.cn.route.Router;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.SnapshotClock;
import io.alrai.cn.snapshot.SpreadPredictor;
import io.alrai.cn.snapshot.TransactionCounts;
import io.alrai.cn.statement.DataExecutor;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.type.Collations;
import io.alrai.gms.api.GmsService;
import io.netty.channel.EventLoop;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What all sessions of a CN share.
 *
 * @param serverVersion as the greeting says it
 * @param gms the catalog and its service
 * @param links ways to the DNs
 * @param planners statements to plans: one planner for each event loop
 * @param places finds the place of a pinned statement
 * @param data runs what is not forwarded
 * @param analytic SELECTs over column indexes
 * @param admin runs what the CN answers itself
 * @param settings equal settings are one object
 * @param collations what the mysqlds know
 * @param numbers names of transactions
 * @param snapshots what is read at
 * @param spanning the open transactions over several DNs
 * @param admission what may begin while there are locks over the cluster
 * @param predictor which transactions stay on few DNs
 * @param transactionCounts of snapshots and commits over several DNs
 * @param statementCounts of all statements
 * @param cursors what open cursors may take
 * @param authentication who may log in
 * @param loginCounts of all connections
 * @param sessions who is connected
 * @param wallMillis milliseconds since 1970
 * @param startedMillis when this CN started, by that clock
 * @param maxAllowedPacket bytes of a command
 */
public record CnServices(
    String serverVersion,
    GmsService gms,
    DnLinks links,
    Function<EventLoop, StatementPlanner> planners,
    Router places,
    DataExecutor data,
    AnalyticSelects analytic,
    AdminExecutor admin,
    SettingsRegistry settings,
    Collations collations,
    TransactionNumbers numbers,
    SnapshotClock snapshots,
    SpanningTransactions spanning,
    Admission admission,
    SpreadPredictor predictor,
    TransactionCounts transactionCounts,
    StatementCounts statementCounts,
    CursorRoom cursors,
    Authentication authentication,
    LoginCounts loginCounts,
    SessionRegistry sessions,
    LongSupplier wallMillis,
    long startedMillis,
    int maxAllowedPacket) {}
