package io.alrai.dn.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that a replica sends to its source, byte for byte: what a feeder has to answer. */
class ReplicasAskTheirSourceIT {
  private static final int FOLLOWER_ID = 2;

  /** Queries carry no attributes: none, in one set. */
  private static final String QUERY = "\u0003\u0000\u0001";

  @TempDir Path temporary;

  @Test
  void theExchangeIsTheOneThatIsKnown() throws Exception {
    try (ReplicaServer source =
            new ReplicaServer(temporary.resolve("source"), 1, config -> config);
        RecordingRelay relay = new RecordingRelay(source.instance().socketPath());
        ReplicaServer follower =
            new ReplicaServer(
                temporary.resolve("follower"), FOLLOWER_ID, ReplicaServer.following(2))) {
      source.query("CREATE DATABASE f;CREATE TABLE f.t (id INT PRIMARY KEY AUTO_INCREMENT)");
      follower.follow(relay.port(), source);
      follower.query("START REPLICA");
      follower.awaitApplied(source.executed());
      List<String> expected = new ArrayList<>(questions(follower.uuid()));
      expected.add(dump(0, ""));
      assertEquals(expected, sent(relay, 0));

      relay.disconnect();
      source.query("INSERT INTO f.t VALUES (1)");
      follower.awaitApplied(source.executed());
      expected = new ArrayList<>(List.of(QUERY + "SET NAMES utf8mb4"));
      expected.addAll(questions(follower.uuid()));
      String interval = "0100000000000000" + "0100000000000000" + "0300000000000000";
      String set = source.uuid().replace("-", "") + interval;
      expected.add(dump(1, set));
      assertEquals(expected, sent(relay, 1));

      // rotation, format, and what the first file has before its first transaction
      List<byte[]> answers = relay.exchanges().getFirst().byServer().packets();
      List<Integer> types = new ArrayList<>();
      for (byte[] packet : answers.subList(answers.size() - 7, answers.size())) {
        assertEquals(0, packet[0]);
        types.add((int) packet[5]);
      }
      assertEquals(List.of(4, 15, 35, 33, 2, 33, 2), types);
    }
  }

  private static List<String> questions(String uuid) {
    return List.of(
        QUERY + "SELECT UNIX_TIMESTAMP()",
        QUERY + "SELECT @@GLOBAL.SERVER_ID",
        QUERY
            + "SET @master_heartbeat_period = 30000001024, @source_heartbeat_period = 30000001024",
        QUERY
            + "SET @master_binlog_checksum = @@global.binlog_checksum,"
            + " @source_binlog_checksum = @@global.binlog_checksum",
        QUERY + "SELECT @source_binlog_checksum",
        QUERY + "SELECT @@GLOBAL.GTID_MODE",
        QUERY + "SELECT @@GLOBAL.SERVER_UUID",
        QUERY + "SET @slave_uuid = '" + uuid + "', @replica_uuid = '" + uuid + "'",
        // server id 4, three empty texts, port 2, rank 4, source id 4
        bytes("15" + "02000000" + "000000" + "0000" + "00000000" + "00000000"));
  }

  /** flags 2 | server id 4 | no file name 4 | place 8 | length 4 | count of origins 8 | these. */
  private static String dump(int origins, String set) {
    String count = "0" + origins + "00000000000000";
    String length = "%02x000000".formatted(8 + set.length() / 2);
    return bytes(
        "1e" + "0200" + "02000000" + "00000000" + "0400000000000000" + length + count + set);
  }

  private static String bytes(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
  }

  /** After the login, which has one packet. */
  private static List<String> sent(RecordingRelay relay, int connection) {
    List<byte[]> packets = relay.exchanges().get(connection).byClient().packets();
    return packets.subList(1, packets.size()).stream()
        .map(packet -> new String(packet, StandardCharsets.ISO_8859_1))
        .toList();
  }
}
