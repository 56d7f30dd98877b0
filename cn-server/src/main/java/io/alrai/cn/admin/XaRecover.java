package io.alrai.cn.admin;

import io.alrai.cn.result.ResultTable;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.ClientXid;
import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.optimizer.api.AdminStatement;
import java.util.List;

/** XA RECOVER: what clients have prepared, on whatever CN. Virtual threads. */
final class XaRecover {
  private XaRecover() {}

  static void run(StatementRun run, AdminStatement.XaRecover statement, CnParts parts) {
    Session session = run.session();
    if (!session.user().access(parts.gms().catalog()).has(DynamicPrivilege.XA_RECOVER_ADMIN)) {
      throw new AlraiException(
          ErrorCode.ER_XAER_RMERR,
          "XAER_RMERR: Fatal error occurred in the transaction branch - check your data for"
              + " consistency");
    }
    List<ClientXid> prepared = run.shards().onLoop(session.transaction().clientXa()::recover);
    ResultTable table =
        new ResultTable()
            .requiredNumber("formatID", 0)
            .requiredNumber("gtrid_length", 0)
            .requiredNumber("bqual_length", 0)
            .requiredText("data", 2 * ClientXid.MOST_BYTES * 2 + 2);
    for (ClientXid xid : prepared) {
      Object data = statement.convertsXid() ? xid.hexData() : xid.data();
      table.row(xid.format(), xid.gtrid().length(), xid.bqual().length(), data);
    }
    session.last().rowCount(-1);
    session.last().foundRows(prepared.size());
    session.last().diagnostics(Diagnostics.NONE);
    table.writeTo(run.writer(), run.statusFlags());
  }
}
