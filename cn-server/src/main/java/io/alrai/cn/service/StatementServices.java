package io.alrai.cn.service;

import io.alrai.cn.admin.AdminExecutor;
import io.alrai.cn.analytic.AnalyticSelects;
import io.alrai.cn.cursor.CursorRoom;
import io.alrai.cn.plan.StatementPlanner;
import io.alrai.cn.route.Router;
import io.alrai.cn.statement.DataExecutor;
import io.netty.channel.EventLoop;
import java.util.function.Function;

/**
 * What runs statements; all sessions of a CN share it.
 *
 * @param planners statements to plans: one planner for each event loop
 * @param places finds the place of a pinned statement
 * @param data runs what is not forwarded
 * @param analytic SELECTs over column indexes
 * @param admin runs what the CN answers itself
 * @param cursors what open cursors may take
 * @param maxAllowedPacket bytes of a command
 */
public record StatementServices(
    Function<EventLoop, StatementPlanner> planners,
    Router places,
    DataExecutor data,
    AnalyticSelects analytic,
    AdminExecutor admin,
    CursorRoom cursors,
    int maxAllowedPacket) {}
