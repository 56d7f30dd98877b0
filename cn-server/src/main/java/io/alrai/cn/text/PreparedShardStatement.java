package io.alrai.cn.text;

import io.alrai.cn.branch.BranchStatements;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.type.ParameterTypes;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState.PreparedOnServer;
import io.alrai.dn.link.BranchState.StatementKey;
import io.alrai.dn.link.ReplySink;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.executor.fragment.Targets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A part of a client's prepared SELECT that a DN runs as a prepared statement too, so that it does
 * not parse it each time. The DN gets as text what it does not prepare. Event loop only.
 */
public final class PreparedShardStatement implements ShardStatement {
  /** The statement was killed, timed out or waited in vain for locks of a table's definition. */
  private static final Set<Integer> FINAL =
      Set.of(
          ErrorCode.ER_QUERY_INTERRUPTED.errno(),
          ErrorCode.ER_QUERY_TIMEOUT.errno(),
          ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno(),
          ErrorCode.ER_LOCK_DEADLOCK.errno());

  private final byte[] sql;
  private final String key;
  private final BoundValues parameters;
  private final String home;
  private final boolean once;
  private final Supplier<byte[]> otherwise;
  private boolean asText;

  private PreparedShardStatement(
      byte[] sql,
      Charset charset,
      BoundValues parameters,
      String home,
      boolean once,
      Supplier<byte[]> otherwise) {
    this.sql = sql;
    this.key = new String(sql, charset);
    this.parameters = parameters;
    this.home = home;
    this.once = once;
    this.otherwise = otherwise;
  }

  /**
   * The statement, where the client prepared it and its shards' text has no hole but parameters
   * after FROM, each once. Where parameters are in the select list, their types matter: then
   * numbers of rows stand in the text, and groups may be by anything that has no parameters.
   *
   * @param everywhere see {@link #mayUnite}
   * @param rowLimit rows that are enough from one DN; negative for all
   * @param home see {@link #home}
   */
  public static Optional<ShardStatement> of(
      StatementRun run,
      MergePlan plan,
      List<ShardPlace> places,
      boolean everywhere,
      long rowLimit,
      String home) {
    ParameterHoles holes = ParameterHoles.ofShards(run, plan, everywhere);
    if (!isBound(run) || !holes.areParameters(plan.shardSql())) {
      return Optional.empty();
    }
    Charset charset = run.session().variables().lexicalMode().charset();
    List<Integer> slots = new ArrayList<>();
    Set<Integer> written = ParameterHoles.ofLimit(plan);
    byte[] sql =
        UnionText.of(
            plan,
            places,
            rowLimit,
            place ->
                text(run, plan.shardSql(), place.physicalSchema().name(), charset, written, slots));
    return Optional.of(
        new PreparedShardStatement(
            sql,
            charset,
            new BoundValues(run.values(), slots),
            home,
            holes.areListed(plan.shardSql()),
            () -> UnionText.of(run, plan, places, rowLimit)));
  }

  /**
   * Whether values of parameters that a SELECT has in its list keep their types wherever it runs:
   * so do its columns then.
   */
  static boolean keepsTypes(StatementRun run, Plan.Select select) {
    if (!isBound(run)) {
      return false;
    }
    if (select.merge().isPresent()) {
      MergePlan plan = select.merge().get();
      return mayUnite(run, select, plan)
          && ParameterHoles.ofShards(run, plan, true).areParameters(plan.shardSql());
    }
    return select.gather().stream().allMatch(copies -> keepsTypes(run, copies));
  }

  /**
   * Whether a statement for several places of a DN may be prepared: they are always the same, or
   * parameters in the select list have it prepared for one execution only. Other sets of places
   * that keys lead to are too many.
   */
  public static boolean mayUnite(StatementRun run, Plan.Select select, MergePlan plan) {
    return select.targets() instanceof Targets.All
        || (select.targets() instanceof Targets.Keys
            && isBound(run)
            && ParameterHoles.ofShards(run, plan, true).areListed(plan.shardSql()));
  }

  private static boolean keepsTypes(StatementRun run, GatherPlan copies) {
    return copies.functions().isEmpty()
        && copies.groups().isEmpty()
        && ParameterHoles.ofStatement(run).areParameters(copies.sql());
  }

  /** The statement over copies of rows, where {@link #keepsTypes} holds. */
  public static Optional<ShardStatement> overCopies(
      StatementRun run, GatherPlan copies, String scratchSchema) {
    return isBound(run) && keepsTypes(run, copies)
        ? whole(run, copies.sql(), scratchSchema, true)
        : Optional.empty();
  }

  /**
   * The client's own statement, or what became of it for one place, where the client prepared it
   * with parameters: their types are those of their places in it, not of texts of their values.
   *
   * @param template null for the client's text as it is
   */
  public static Optional<ShardStatement> whole(
      StatementRun run, @Nullable SqlTemplate template, String physicalSchema) {
    return whole(run, template, physicalSchema, false);
  }

  private static Optional<ShardStatement> whole(
      StatementRun run, @Nullable SqlTemplate template, String physicalSchema, boolean once) {
    if (!isBound(run)) {
      return Optional.empty();
    }
    Charset charset = run.session().variables().lexicalMode().charset();
    List<Integer> slots = new ArrayList<>();
    if (template == null) {
      addParameters(run, slots);
      return slots.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new PreparedShardStatement(
                  run.sql(),
                  charset,
                  new BoundValues(run.values(), slots),
                  "",
                  once,
                  () -> PlaceText.verbatim(run)));
    }
    if (!ParameterHoles.ofStatement(run).areParameters(template)) {
      return Optional.empty();
    }
    byte[] sql = text(run, template, physicalSchema, charset, Set.of(), slots);
    return slots.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PreparedShardStatement(
                sql,
                charset,
                new BoundValues(run.values(), slots),
                "",
                once,
                () -> PlaceText.render(run, template, physicalSchema)));
  }

  /**
   * Values of variables, and of functions that the CN has called, do not fit the protocol's types.
   */
  private static boolean isBound(StatementRun run) {
    return run.writer().binary() && run.values().areBound();
  }

  private static void addParameters(StatementRun run, List<Integer> slots) {
    for (int slot = 0; slot < run.statement().slotCount(); slot++) {
      if (run.statement().isParameter(slot)) {
        slots.add(slot);
      }
    }
  }

  private static byte[] text(
      StatementRun run,
      SqlTemplate template,
      String physicalSchema,
      Charset charset,
      Set<Integer> written,
      List<Integer> slots) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    for (Piece piece : template.pieces()) {
      switch (piece) {
        case Piece.Text text -> out.writeBytes(SessionText.encoded(charset, text.sql()));
        case Piece.Slot slot -> {
          boolean bound = !written.contains(slot.index());
          if (bound && run.statement().isParameter(slot.index())) {
            out.write('?');
            slots.add(slot.index());
          } else {
            run.values().appendSql(slot.index(), out);
          }
        }
        case Piece.PlaceSchema schema ->
            out.writeBytes(Sql.quote(physicalSchema).getBytes(charset));
        case Piece.Sum sum ->
            out.writeBytes(SessionText.encoded(charset, TemplateText.rows(run.values(), sum)));
        case Piece.Session _, Piece.UserVariable _, Piece.SystemVariable _ ->
            throw new IllegalStateException("a hole that is no parameter: " + piece);
      }
    }
    return out.toByteArray();
  }

  @Override
  public String home() {
    return home;
  }

  @Override
  public boolean isSmallText() {
    return false;
  }

  @Override
  public boolean binaryRows() {
    return !asText;
  }

  @Override
  public void send(Branch branch, ReplySink reply) {
    asText = false;
    Object settings = branch.state().settings();
    if (settings == null) {
      sendAsText(branch, reply);
      return;
    }
    byte[] types = parameters.types();
    if (once) {
      BranchStatements.prepareOnce(
          branch, sql, fresh -> run(branch, fresh, types, reply), new Unprepared(branch, reply));
      return;
    }
    ParameterTypes derived = new ParameterTypes();
    derived.follow(types);
    StatementKey known =
        new StatementKey(branch.state().preparesUnder(), key, settings, derived.toString());
    PreparedOnServer prepared = branch.state().statements().get(known);
    if (prepared != null) {
      run(branch, prepared, types, reply);
    } else {
      BranchStatements.prepare(
          branch,
          known,
          sql,
          fresh -> run(branch, fresh, types, reply),
          new Unprepared(branch, reply));
    }
  }

  private void run(Branch branch, PreparedOnServer prepared, byte[] types, ReplySink reply) {
    branch.send(
        parameters.command(ByteBufAllocator.DEFAULT, prepared, types), ReplyKind.RESULTS, reply);
    branch.flush();
  }

  private void sendAsText(Branch branch, ReplySink reply) {
    asText = true;
    ShardStatement.text(otherwise.get()).send(branch, reply);
  }

  /**
   * Continues with the text when the DN does not prepare it, unless the text would fail in the same
   * way.
   */
  private final class Unprepared implements ReplySink {
    private final Branch branch;
    private final ReplySink reply;
    private boolean over;

    Unprepared(Branch branch, ReplySink reply) {
      this.branch = branch;
      this.reply = reply;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      if (kind == PacketKind.ERR) {
        over =
            FINAL.contains(
                ErrPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER)
                    .toException()
                    .errno());
      }
      if (over) {
        reply.packet(kind, buf, header, length);
      }
    }

    @Override
    public void chunkEnd() {
      if (over) {
        reply.chunkEnd();
      }
    }

    @Override
    public void end(int status) {
      if (over) {
        reply.end(status);
      } else {
        sendAsText(branch, reply);
      }
    }

    @Override
    public void failed(AlraiException reason) {
      reply.failed(reason);
    }
  }
}
