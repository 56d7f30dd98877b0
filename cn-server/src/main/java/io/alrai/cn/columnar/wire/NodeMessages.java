package io.alrai.cn.columnar.wire;

import io.alrai.cn.columnar.IndexReports;
import io.alrai.cn.columnar.RemotePlans;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionState;
import io.alrai.executor.exchange.RecordCodec;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.List;

/** The records that travel beside plans and rows. */
public final class NodeMessages {
  private NodeMessages() {}

  /** A codec of all of them. */
  public static RecordCodec codec() {
    return new RecordCodec(Partitioning.class, PartitionState.class);
  }

  /** What a CN asks a node for; the name of a Flight action. */
  public enum Question {
    /** {@link State}; nothing is sent. */
    STATE,
    /** {@link IndexReports.Report} of a {@link Table}; no answer where none is known. */
    REPORT,
    /** {@link CheckedParts} of a {@link Table}; no answer where its index is not ready. */
    CHECK,
    /** {@link io.alrai.optimizer.api.stats.TableStatistics}; {@link Look} is sent. */
    STATISTICS,
    /** {@link Progress}; {@link Running} is sent. */
    RUNNING
  }

  /** All indexes of a node, as they are now. */
  public record State(List<IndexState> indexes) {
    public State {
      indexes = List.copyOf(indexes);
    }
  }

  /**
   * A node's part of an index.
   *
   * @param tableId of its table
   * @param table what it was built for, encoded: it seldom changes, and is read once
   * @param givenUp no index can hold the table as it is
   * @param schemas the physical schemas whose partitions it has
   */
  public record IndexState(
      long tableId,
      byte[] table,
      String name,
      boolean givenUp,
      List<String> schemas,
      PartitionFigures figures) {
    public IndexState {
      schemas = List.copyOf(schemas);
    }
  }

  /**
   * What a node is to run.
   *
   * @param shares who reads what: the node that runs it itself, or others, which it asks. Each
   *     partition of each table is in one of them
   */
  public record Query(RemotePlans.Sent sent, List<Share> shares) {
    public Query {
      shares = List.copyOf(shares);
    }
  }

  /**
   * A query under a number by which it can be asked for.
   *
   * @param id chosen by the process that asks
   */
  public record Ticket(long id, Query query) {}

  /** Queries by their numbers. */
  public record Running(List<Long> ids) {
    public Running {
      ids = List.copyOf(ids);
    }
  }

  /** Those queries that a node knows. */
  public record Progress(List<Step> steps) {
    public Progress {
      steps = List.copyOf(steps);
    }
  }

  /**
   * How far a query has come.
   *
   * @param waits for its turn, or for other nodes
   * @param done grows while it gets processor time, or its rows are sent
   */
  public record Step(long id, boolean waits, long done) {}

  /** Partitions of a table, by their physical schemas, that a node has. */
  public record Share(String node, long tableId, List<String> schemas) {
    public Share {
      schemas = List.copyOf(schemas);
    }
  }

  /** A table's index as of a timestamp. */
  public record Look(Table table, long at) {}

  /** What CHECK found. */
  public record CheckedParts(List<IndexReports.Checked> parts) {
    public CheckedParts {
      parts = List.copyOf(parts);
    }
  }

  /** What comes with the first batch of a result: by then the plan has run to its end. */
  public record ResultFacts(long rows, long spilledBytes) {}
}
