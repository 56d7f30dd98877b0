package io.alrai.cn.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.topology.Topology.Host;
import io.alrai.common.error.AlraiException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person may write of a cluster's machines. */
class TopologyTest {
  @Test
  void hostsAreEnough() {
    Topology topology = Topology.of("hosts: [{host: db-1.example}]\n");
    assertEquals(1, topology.replicas());
    assertEquals("/opt/alrai", topology.home());
    assertEquals("alrai", topology.user());
    assertEquals(8527, topology.ports().clients());
    assertEquals(List.of(new Host("db-1.example", "", false, "/var/lib/alrai")), topology.hosts());
  }

  @Test
  void allIsRead() {
    Topology topology =
        Topology.of(
            """
            replicas: 3
            data: /d
            home: /h
            user: mysql
            ports: {clients: 1, dn: 2, group: 3, columnar: 4, gms: 5}
            hosts:
              - {host: 10.0.0.1, zone: "é b"}
              - {host: 10.0.0.2, columnar: true}
              - {host: 10.0.0.3, data: /e}
            """);
    assertEquals(new Topology.Ports(1, 2, 3, 4, 5, 9100), topology.ports());
    assertEquals(
        List.of(
            new Host("10.0.0.1", "é b", false, "/d"),
            new Host("10.0.0.2", "", true, "/d"),
            new Host("10.0.0.3", "", false, "/e")),
        topology.hosts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "hosts: []|at least one machine",
        "``|names no hosts",
        "# nothing|names no hosts",
        "hosts: [{host: a, zone: 'x\\y'}]|zone wants",
        "hosts: [{host: a, zone: ' x'}]|zone wants",
        "nonsense|no String-argument constructor",
        "hosts: [{zone: a}]|wants a host",
        "hosts: [null]|wants a host",
        "hosts: [{host: a}, {host: a}]|a stands twice",
        "hosts: [{host: 'a b'}]|'a b' is no name of a host",
        "hosts: [{host: '::1'}]|for IPv6, a name",
        "hosts: [{host: '../x'}]|no name of a host",
        "hosts: [{hosst: a}]|no key 'hosst' in line 1; known are [columnar, data, host, zone]",
        "{replicas: 2, hosts: [{host: a}]}|wants 1 or 3, not 2",
        "{replicas: 3, hosts: [{host: a}, {host: b}]}|a multiple of three, not 2",
        "{replicas: x, hosts: [{host: a}]}|in line 1",
        "{data: relative, hosts: [{host: a}]}|data wants a path from /",
        "{data: '/a%b', hosts: [{host: a}]}|data wants a path from /",
        "{home: '/a b', hosts: [{host: a}]}|home wants a path from /",
        "{user: 'a;b', hosts: [{host: a}]}|no name of a user",
        "{ports: {dn: 8527}, hosts: [{host: a}]}|six different numbers",
        "{ports: {dn: 0}, hosts: [{host: a}]}|six different numbers",
        "{ports: {dn: 65536}, hosts: [{host: a}]}|six different numbers",
        "{replicas: 1, replicas: 3, hosts: [{host: a}]}|Duplicate",
      })
  void whatIsWrongIsSaid(String text, String sentence) {
    AlraiException refused = assertThrows(AlraiException.class, () -> Topology.of(text));
    assertTrue(refused.sentence().contains(sentence), refused.sentence());
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    AlraiException refused =
        assertThrows(AlraiException.class, () -> Topology.read(Path.of("/no'ne.yaml")));
    assertTrue(refused.sentence().contains("there is no /no'ne.yaml"), refused.sentence());
  }
}
