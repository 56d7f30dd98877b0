package io.alrai.columnar.delta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.columnar.segment.MemoryBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyIndexTest {
  /** Keys whose hashes collide often, and whose homes always do. */
  private static int hash(int key) {
    return key % 397 * 4;
  }

  @Test
  void doesWhatAMapDoes() {
    Random random = new Random(3);
    MemoryBudget budget = new MemoryBudget(1 << 20);
    Map<Integer, Integer> keyAt = new HashMap<>(); // by place
    Map<Integer, Integer> model = new HashMap<>(); // by key
    List<Integer> keys = new ArrayList<>();
    try (KeyIndex index = new KeyIndex(budget)) {
      int nextPlace = 1;
      for (int step = 0; step < 20_000; step++) {
        int key = random.nextInt(3_000);
        Integer place = model.get(key);
        int found = index.find(hash(key), at -> keyAt.getOrDefault(at, -1) == key);
        assertEquals(place == null ? KeyIndex.NONE : place, found);
        if (place == null) {
          place = nextPlace++;
          index.put(hash(key), place);
          model.put(key, place);
          keyAt.put(place, key);
          keys.add(key);
        } else if (random.nextBoolean()) {
          index.remove(hash(key), place);
          model.remove(key);
          keyAt.remove(place);
        } else {
          int to = nextPlace++;
          index.move(hash(key), place, to);
          model.put(key, to);
          keyAt.remove(place);
          keyAt.put(to, key);
        }
        assertEquals(model.size(), index.size());
      }
      for (int key : keys) {
        assertEquals(
            model.getOrDefault(key, KeyIndex.NONE),
            index.find(hash(key), at -> keyAt.getOrDefault(at, -1) == key));
      }
      assertEquals(index.bytes(), budget.usedBytes());
    }
    assertEquals(0, budget.usedBytes());
  }

  @Test
  void growsAndForgetsNothing() {
    try (KeyIndex index = new KeyIndex(new MemoryBudget(64 << 20))) {
      for (int i = 1; i <= 200_000; i++) {
        index.put(i * 0x9E3779B9, i);
      }
      for (int i = 1; i <= 200_000; i++) {
        int place = i;
        assertEquals(i, index.find(i * 0x9E3779B9, at -> at == place));
      }
      index.move(0x9E3779B9, 77, 78); // it is not there: nothing happens
      assertEquals(1, index.find(0x9E3779B9, at -> true));
      assertThrows(IllegalStateException.class, () -> index.remove(0x9E3779B9, 77));
    }
  }
}
