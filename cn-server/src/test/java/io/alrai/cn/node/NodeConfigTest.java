package io.alrai.cn.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.RoleFile;
import io.alrai.common.error.AlraiException;
import io.alrai.common.secret.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeConfigTest {
  private static final String USUAL = "cn=cn-1\ndn=dn-1\ndn.listen=127.0.0.1:3\n";

  /** {@code | `dn.listen` | `HOST:PORT` | ... |}: keys of roles have another second column. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\| [`A-Z]");

  private static final Pattern READ = Pattern.compile("(?:properties,)((?:\\s*\"[a-z.]+\",?)+)");

  @TempDir Path directory;

  private NodeConfig read(String more) throws IOException {
    Path file = directory.resolve("node.properties");
    PrivateFiles.write(
        file,
        "node=node-1\ndata="
            + directory
            + "\nlisten=127.0.0.1:1\ngms=gms-1@127.0.0.1:2,gms-2@127.0.0.1:4\n"
            + "secret=0123456789abcdef0123456789abcdef\n"
            + more);
    return NodeConfig.read(file, RoleFile.read(file));
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    for (String more :
        Set.of(
            USUAL,
            USUAL + "gms.node = gms-2\n",
            USUAL + "columnar=columnar-1\ncolumnar.listen=127.0.0.1:5\n")) {
      NodeConfig node = read(more);
      Path again = directory.resolve("again.properties");
      PrivateFiles.write(again, node.text());
      assertEquals(node, NodeConfig.read(again, RoleFile.read(again)));
    }
    NodeConfig node = read(USUAL + "gms.node=gms-2");
    assertEquals(4, node.gms().orElseThrow().listen().getPort());
    assertEquals("dn-1", node.as(node.agent()).node());
    assertEquals(3, node.as(node.agent()).listen().getPort());
    assertEquals("cn-1", node.cnRole().node());
    assertEquals(1, node.cnRole().listen().getPort());
  }

  @Test
  void whatIsWrongIsNamed() {
    Map.of(
            "dn=dn-1\ndn.listen=127.0.0.1:3",
            "cn is missing",
            "cn=cn-1",
            "dn is missing",
            "cn=cn-1\ndn=dn-1",
            "dn.listen is missing",
            "cn=cn-1\ndn=dn-1\ndn.listen=here",
            "dn.listen: not an address",
            USUAL + "gms.node=gms_3",
            "gms.node: not a node name",
            USUAL + "columnar=../x\ncolumnar.listen=127.0.0.1:4",
            "columnar: not a node name",
            USUAL + "gms.node=gms-3",
            "gms.node wants one of gms",
            USUAL + "columnar=columnar-1",
            "columnar.listen is missing",
            "cn=dn-1\ndn=dn-1\ndn.listen=127.0.0.1:3",
            "different names")
        .forEach((text, sentence) -> {
          AlraiException wrong = assertThrows(AlraiException.class, () -> read(text), text);
          assertTrue(wrong.sentence().contains(sentence), wrong.sentence());
        });
  }

  @Test
  void theReferenceListsExactlyTheKeysThatAreRead() throws IOException {
    String source = Files.readString(Path.of("src/main/java/io/alrai/cn/node/NodeConfig.java"));
    Set<String> read = new TreeSet<>();
    READ.matcher(source)
        .results()
        .forEach(keys ->
            Pattern.compile("\"([a-z.]+)\"")
                .matcher(keys.group(1))
                .results()
                .forEach(key -> read.add(key.group(1))));
    Set<String> page = new TreeSet<>();
    ROW.matcher(Files.readString(Path.of("..", "docs", "reference", "configuration.md")))
        .results()
        .forEach(row -> page.add(row.group(1)));
    assertEquals(read, page);
  }
}
