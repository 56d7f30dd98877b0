package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.gate.ModelMysqld.Entry;
import io.alrai.dn.gate.ModelViews.View;
import java.util.List;
import java.util.Map;

/** What a leader has to do with besides its mysqld. A DN of one member has nothing. */
public interface ModelLead {
  /** The lead of the only member. */
  ModelLead ALONE = new ModelLead() {};

  /** A message to another process, which goes after those before. */
  default void send(Runnable message) {
    message.run();
  }

  /** Somebody is shown a view. */
  default void shown(View view) {}

  /** A view is opened, of all that is acknowledged. */
  default void opened(View view) {}

  /** An entry has arrived, with its stamp; it is durable later. */
  default void write(World world, ModelAgent agent, Entry entry, Runnable durable) {
    agent.later(world.between(10, 400), durable);
  }

  /** Entries that have arrived have other stamps now; these are written later, too. */
  default void writeStamps(World world, ModelAgent agent, List<Entry> entries, Runnable written) {
    agent.later(world.between(10, 400), written);
  }

  /** All entries up to this number are acknowledged. */
  default void acknowledged(int number) {}

  /** What was decided before this lead and may be asked for. */
  default Map<TransactionId, HlcTimestamp> inherited() {
    return Map.of();
  }

  /** Nobody will ask the log for decisions up to this number, nor for inherited ones. */
  default void settled(int number) {}

  /** Whether views may be opened before it is known what is prepared. */
  default boolean recoversLate() {
    return false;
  }

  /** Whether this message of all need not wait for its turn. */
  default void sendHoldings(Runnable message) {
    send(message);
  }
}
