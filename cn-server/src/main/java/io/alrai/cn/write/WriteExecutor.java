package io.alrai.cn.write;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.select.SelectExecutor;
import io.alrai.cn.session.Session;
import io.alrai.cn.statement.ExecuteErrors;
import io.alrai.cn.statement.RowNumbers;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.statement.WriteOutcome;
import io.alrai.cn.text.ExecutorParts;
import io.alrai.cn.text.PlaceText;
import io.alrai.cn.text.SessionText;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.wire.OkPacket;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * UPDATE and DELETE over several places, and writes to every DN: all or nothing, inside the
 * session's transaction or one of their own. DNs work at the same time.
 */
public final class WriteExecutor {
  /** How often a statement is run again that a deadlock has ended. */
  private static final int MOST_ATTEMPTS = 10;

  private final ExecutorParts parts;
  private final SelectExecutor selects;
  private final KeyedWriteExecutor keyed;
  private final KeyUpdateExecutor keyUpdates;

  public WriteExecutor(ExecutorParts parts, SelectExecutor selects) {
    this.parts = parts;
    this.selects = selects;
    this.keyed = new KeyedWriteExecutor(parts, selects);
    this.keyUpdates = new KeyUpdateExecutor(parts, selects);
  }

  /**
   * A statement for one place.
   *
   * @param rows of an INSERT: which of the client's rows, from 0, each of its rows is; empty where
   *     that does not matter
   * @param copy whether it repeats what another DN does, whose warnings count
   */
  record PlaceStatement(ShardPlace place, byte[] sql, int[] rows, boolean copy) {
    PlaceStatement(ShardPlace place, byte[] sql) {
      this(place, sql, new int[0], false);
    }

    /** Writes equal rows on every DN: the answer of the first counts. */
    static List<PlaceStatement> everywhere(
        List<DnId> dns, PhysicalSchema physicalSchema, byte[] sql, int[] rows) {
      List<PlaceStatement> statements = new ArrayList<>();
      for (DnId dn : dns) {
        ShardPlace place = new ShardPlace(0, physicalSchema, dn);
        statements.add(new PlaceStatement(place, sql, rows, !statements.isEmpty()));
      }
      return statements;
    }
  }

  /** Runs a write and answers the client. */
  public void run(StatementRun run, Plan.Write write) {
    answer(run, outcome(run, write));
  }

  /** Runs an UPDATE that may move rows and answers the client. */
  public void run(StatementRun run, Plan.KeyUpdate update) {
    WriteOutcome outcome = new WriteOutcome(true);
    run.shards()
        .copying(() -> run.shards().atomically(() -> keyUpdates.run(run, update)))
        .forEach(outcome::add);
    answer(run, outcome);
  }

  private static void answer(StatementRun run, WriteOutcome outcome) {
    OkPacket ok = outcome.ok(0);
    Session session = run.session();
    session.last().rowCount(ok.affectedRows());
    if (ok.lastInsertId() != 0) {
      session.last().lastInsertId(ok.lastInsertId());
    }
    run.writer()
        .ok(
            new OkPacket(
                ok.affectedRows(), ok.lastInsertId(), run.statusFlags(), ok.warnings(), ok.info()));
  }

  private WriteOutcome outcome(StatementRun run, Plan.Write write) {
    if (write.keyed().isPresent()) {
      Plan.KeyedWrite byKey = write.keyed().get();
      boolean own = byKey.atOwnPlaces();
      List<ShardPlace> places = own ? List.of() : places(run, write);
      if (own || places.size() > 1 || write.callsFunctions()) {
        return repeated(
            run,
            () ->
                run.shards()
                    .copying(() -> run.shards().atomically(() -> keyed.run(run, byKey, places))));
      }
    }
    WriteOutcome outcome = new WriteOutcome(WriteOutcome.isUpdate(run));
    outcomes(run, write).forEach(outcome::add);
    return outcome;
  }

  private List<ShardPlace> places(StatementRun run, Plan.Write write) {
    return parts
        .router()
        .places(write.targets(), run.values(), SessionText.charset(run.session().variables()));
  }

  /** Runs a write without LIMIT; the answers that count. */
  List<OkPacket> outcomes(StatementRun run, Plan.Write write) {
    if (write.gathered().isPresent()) {
      return List.of(selects.write(run, write.gathered().get()));
    }
    if (write.targets() instanceof Targets.EveryDn every) {
      return everywhere(run, write, every.physicalSchema());
    }
    if (write.targets() instanceof Targets.AnyDn any) {
      ShardPlace place = new ShardPlace(0, any.physicalSchema(), parts.links().any());
      return answers(run, List.of(pinned(run, write, place)));
    }
    List<ShardPlace> places = places(run, write);
    if (places.size() == 1) {
      return answers(run, List.of(pinned(run, write, places.getFirst())));
    }
    if (write.shardSql().equals(SqlTemplate.EMPTY)) {
      throw ExecuteErrors.unsupported(
          "this write over several shards; give the partition key of its tables");
    }
    List<PlaceStatement> statements = new ArrayList<>();
    for (ShardPlace place : places) {
      byte[] sql = PlaceText.render(run, write.shardSql(), place.physicalSchema().name());
      statements.add(new PlaceStatement(place, sql));
    }
    return allOrNone(run, statements);
  }

  private static PlaceStatement pinned(StatementRun run, Plan.Write write, ShardPlace place) {
    return new PlaceStatement(
        place, PlaceText.pinned(run, write.pinned(), place.physicalSchema().name()));
  }

  /** Writes equal rows on every DN: the answer of the first counts. */
  private List<OkPacket> everywhere(StatementRun run, Plan.Write write, PhysicalSchema schema) {
    byte[] sql = PlaceText.render(run, write.shardSql(), schema.name());
    List<PlaceStatement> statements =
        PlaceStatement.everywhere(parts.links().dns(), schema, sql, new int[0]);
    return allOrNone(run, statements).subList(0, 1);
  }

  /**
   * Runs statements, all or none; again after a deadlock, see {@link #repeated}.
   *
   * @return the answers in the order of the statements
   */
  static List<OkPacket> allOrNone(StatementRun run, List<PlaceStatement> statements) {
    return repeated(run, () -> run.shards().atomically(() -> answers(run, statements)));
  }

  /**
   * A statement that is a transaction of its own is begun again after a deadlock: on a plain mysqld
   * one of two such statements would just have waited for the other, and the client could only send
   * its own again.
   */
  private static <T> T repeated(StatementRun run, Supplier<T> statement) {
    boolean alone = !run.session().transaction().open();
    for (int attempt = 1; ; attempt++) {
      try {
        return statement.get();
      } catch (AlraiException e) {
        boolean deadlock = e.is(ErrorCode.ER_LOCK_DEADLOCK);
        if (!alone || !deadlock || attempt == MOST_ATTEMPTS) {
          throw e;
        }
        run.shards().takeWarnings();
      }
    }
  }

  /**
   * Runs statements, those of different DNs at the same time, those of one DN one after the other:
   * after a deadlock the connection is outside of any transaction, and what was sent ahead would
   * commit by itself.
   *
   * @return the answers in the order of the statements
   */
  static List<OkPacket> answers(StatementRun run, List<PlaceStatement> statements) {
    Map<DnId, Deque<Integer>> queues = new LinkedHashMap<>();
    for (int i = 0; i < statements.size(); i++) {
      DnId dn = statements.get(i).place().dn();
      queues.computeIfAbsent(dn, any -> new ArrayDeque<>()).add(i);
    }
    OkPacket[] answers = new OkPacket[statements.size()];
    while (!queues.isEmpty()) {
      List<Integer> round = queues.values().stream().map(Deque::remove).toList();
      queues.values().removeIf(Deque::isEmpty);
      together(run, statements, round, answers);
    }
    return List.of(answers);
  }

  /** Runs statements of different DNs at the same time. */
  private static void together(
      StatementRun run, List<PlaceStatement> all, List<Integer> round, OkPacket[] answers) {
    List<ShardCall> calls = new ArrayList<>();
    for (int index : round) {
      PlaceStatement statement = all.get(index);
      ShardPlace place = statement.place();
      // the words live as long as the client's statement: they must not hold the text of a part
      int[] rows = statement.rows();
      calls.add(
          statement.copy()
              ? run.shards().startCopy(place.dn(), place.physicalSchema().name(), statement.sql())
              : run.shards()
                  .start(
                      place.dn(),
                      place.physicalSchema().name(),
                      statement.sql(),
                      RowAccess.CHANGING,
                      told -> RowNumbers.ofClient(told, rows)));
    }
    @Nullable AlraiException failure = null;
    for (int i = 0; i < calls.size(); i++) {
      try (ShardCall call = calls.get(i)) {
        answers[round.get(i)] = call.update();
      } catch (AlraiException error) {
        AlraiException e = RowNumbers.ofClient(error, all.get(round.get(i)).rows());
        failure = failure == null || isWorse(e, failure) ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A lost transaction must be reported before an error that only undoes the statement. */
  private static boolean isWorse(AlraiException candidate, AlraiException than) {
    return BranchControl.losesTransaction(candidate) && !BranchControl.losesTransaction(than);
  }
}
