package io.alrai.cn.shard;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.settings.SentText;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.common.sql.Sql;
import io.alrai.common.sql.TextEncoding;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A text that the CN made. Where a name in it has characters that the branch's {@code
 * character_set_client} lacks, the branch reads this text in UTF-8, and the next one, for which it
 * is prepared anew, as before. Event loop only.
 */
final class OwnText implements ShardStatement {
  private static final byte[] NOTHING = {};

  private final Sql head;
  private final byte[] rest;

  OwnText(Sql text) {
    this(text, NOTHING);
  }

  /** One that goes on with bytes in the branch's character set. */
  OwnText(Sql head, byte[] rest) {
    this.head = head;
    this.rest = rest;
  }

  @Override
  public void send(Branch branch, ReplySink reply) {
    byte[] text = encoded(branch);
    branch.send(Commands.query(ByteBufAllocator.DEFAULT, text), ReplyKind.RESULTS, reply);
    branch.flush();
  }

  byte[] encoded(Branch branch) {
    SessionSettings had = (SessionSettings) branch.state().settings();
    if (had == null) { // a fresh connection reads UTF-8
      return joined(head.text().getBytes(StandardCharsets.UTF_8), rest);
    }
    SentText text = SentText.of(head, had);
    if (text.settings() == had) {
      return joined(text.bytes(), rest);
    }
    BranchPreparation.queue(branch, text.settings(), "");
    String read = new String(rest, SettingsCharset.ofClient(had));
    return joined(text.bytes(), read.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] joined(byte[] first, byte[] second) {
    if (second.length == 0) {
      return first;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(first.length + second.length);
    all.writeBytes(first);
    all.writeBytes(second);
    return all.toByteArray();
  }

  /** One that needs other settings cannot be sent in a packet with those that begin a branch. */
  @Override
  public boolean isSmallText() {
    return head.text().length() + rest.length < Commands.SMALL && TextEncoding.isAscii(head.text());
  }

  @Override
  public boolean binaryRows() {
    return false;
  }

  @Override
  public String home() {
    return "";
  }
}
