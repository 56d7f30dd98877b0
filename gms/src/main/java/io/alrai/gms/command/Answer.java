package io.alrai.gms.command;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import java.util.List;
import java.util.Map;

/** What the state machine answers to a log entry or a question. */
public sealed interface Answer {
  /** What a watch is answered. */
  sealed interface OfWatch extends Answer {}

  /**
   * This, which is of a kind.
   *
   * @throws AlraiException ALRAI_INTERNAL for any other
   */
  default <T extends Answer> T as(Class<T> kind) {
    if (!kind.isInstance(this)) {
      throw new AlraiException(
          ErrorCode.ALRAI_INTERNAL, "the GMS gave an answer that does not fit: " + this);
    }
    return kind.cast(this);
  }

  /**
   * The command was applied.
   *
   * @param change log index of the last change of the catalog, this one included
   */
  record Changed(long change) implements Answer {}

  /** The command was refused and changed nothing. */
  record Refused(ErrorCode code, String sentence) implements Answer {
    /** The refusal as the submitter's exception. */
    public AlraiException exception() {
      return new AlraiException(code, sentence);
    }
  }

  /** The numbers of a reservation, both ends inclusive. */
  record Numbers(long first, long last) implements Answer {}

  /** The last number that each sequence gave, if it ever gave one. */
  record LastNumbers(Map<String, Long> last) implements Answer {
    public LastNumbers {
      last = Map.copyOf(last);
    }
  }

  /**
   * Timestamps, as 64 bits of HLC.
   *
   * @param first the lowest
   * @param count how many; 0 when there are none now
   * @param leftMillis how long the leader can go on without reserving more; where there are none,
   *     how long it takes until there are, 0 when some have to be reserved
   */
  record Timestamps(long first, int count, long leftMillis) implements Answer {
    /** None. */
    public static final Timestamps NONE = new Timestamps(0, 0, 0);
  }

  /**
   * Changes in order, from the one after the asker's; none when nothing has changed.
   *
   * @param change the last change that the node has applied
   */
  record Steps(long change, List<Step> steps) implements OfWatch {
    public Steps {
      steps = List.copyOf(steps);
    }
  }

  /** Everything, for an asker that is too far behind for steps. */
  record Whole(long change, Catalog catalog) implements OfWatch {}

  /** The living CNs that work with an older version. */
  record Behind(long change, List<NodeId> nodes) implements Answer {
    public Behind {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * One change of the catalog.
   *
   * @param change its log index
   * @param version the catalog's version after it, by which a follower of the changes notices that
   *     its rules are not those of the leader
   */
  record Step(long change, long version, CatalogCommand command) {}
}
