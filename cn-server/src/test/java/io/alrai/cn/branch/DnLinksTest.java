package io.alrai.cn.branch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.DnId;
import io.alrai.dn.link.DnLink;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DnLinksTest {
  private final Set<String> answering = new TreeSet<>(Set.of("dn-1", "dn-2", "dn-3"));
  private final Set<String> silent = new TreeSet<>();
  private final DnLinks links = new DnLinks();

  private DnLink link(String name) {
    return (DnLink)
        Proxy.newProxyInstance(
            DnLink.class.getClassLoader(),
            new Class<?>[] {DnLink.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "dn" -> new DnId(name);
                  case "answers" -> answering.contains(name);
                  case "mysqldAnswers" -> answering.contains(name) && !silent.contains(name);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Set<String> asked() {
    Set<String> asked = new TreeSet<>();
    for (int i = 0; i < 500; i++) {
      asked.add(links.any().name());
    }
    return asked;
  }

  @Test
  void whatAnyDnKnowsIsNotAskedOfOneWithoutLeader() {
    Set.copyOf(answering).forEach(name -> links.put(link(name)));
    assertEquals(Set.of("dn-1", "dn-2", "dn-3"), asked());
    answering.remove("dn-1");
    assertEquals(Set.of("dn-2", "dn-3"), asked());
    assertEquals(new DnId("dn-2"), links.first());
    answering.clear();
    assertEquals(new DnId("dn-1"), links.first());
    assertEquals(Set.of("dn-1", "dn-2", "dn-3"), asked(), "nobody knows better");
  }

  @Test
  void whatAnyDnKnowsIsNotAskedOfASilentMysqld() {
    Set.copyOf(answering).forEach(name -> links.put(link(name)));
    silent.add("dn-1");
    assertEquals(Set.of("dn-2", "dn-3"), asked());
    assertEquals(new DnId("dn-1"), links.first(), "DDL needs all of them, in this order");
    answering.remove("dn-2");
    assertEquals(Set.of("dn-3"), asked());
    silent.add("dn-3");
    assertEquals(Set.of("dn-1", "dn-3"), asked(), "an agent may say soon that it answers again");
  }
}
