package io.alrai.cn.command;

import io.alrai.cn.session.Activity;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.session.SessionWork;
import io.alrai.cn.shard.SessionShards;
import io.alrai.dn.link.Branch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of the command at work, for SHOW PROCESSLIST. Statements that are forwarded end too soon
 * to be noted by more than where their text is; this is for those that do not. Event loop only.
 */
final class TextAtWork {
  private static final byte[] NONE = new byte[0];

  /** What is shown of a text whose bytes nobody keeps. */
  private static final int MOST_OF_LONG = 1_024;

  private byte[] text = NONE;
  private int length;

  /** A command without a text. */
  void none() {
    text = NONE;
    length = 0;
  }

  /** A text that stays where it is until the next command. */
  void kept(byte[] bytes, int count) {
    text = bytes;
    length = count;
  }

  /** A text that goes before its command ends. */
  void passing(byte[] bytes, int count) {
    kept(Arrays.copyOf(bytes, Math.min(count, MOST_OF_LONG)), Math.min(count, MOST_OF_LONG));
  }

  /** What the session does, of which nothing else is known. */
  Activity activity(Session session, long sinceMillis) {
    return Activity.query(
        Arrays.copyOf(text, Math.min(length, Activity.MOST_BYTES)),
        session.variables().lexicalMode(),
        sinceMillis);
  }

  /**
   * What a session does now.
   *
   * @param working the handlers of a command at work
   * @param shards its other statements
   * @param forwarding where its statement runs, if that is forwarded
   */
  static SessionWork work(
      SessionRegistry.Entry entry,
      @Nullable CommandHandlers working,
      SessionShards shards,
      @Nullable Branch forwarding) {
    Session session = entry.session();
    List<Branch> busy = new ArrayList<>(shards.atWork());
    if (forwarding != null) {
      busy.add(forwarding);
    }
    Activity noted = session.activity();
    return new SessionWork(
        working != null && noted.isNone() ? working.activity(entry.commands()) : noted,
        session.transaction().seen(),
        busy);
  }
}
