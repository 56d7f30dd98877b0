package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class YieldingSelectTest {
  private static int strategy(int ready, boolean hasTasks) throws Exception {
    return YieldingSelect.INSTANCE.calculateStrategy(() -> ready, hasTasks);
  }

  @Test
  void sleepsOnlyWhereNothingIsToBeDone() throws Exception {
    assertEquals(SelectStrategy.SELECT, strategy(0, false));
    assertEquals(3, strategy(3, false));
    assertEquals(0, strategy(0, true));
    assertEquals(3, strategy(3, true));
  }

  @Test
  void whatComesWhileOthersRunIsSeen() throws Exception {
    int[] looks = {0};
    int ready = YieldingSelect.INSTANCE.calculateStrategy(() -> looks[0]++ == 0 ? 0 : 2, false);
    assertEquals(2, ready);
    assertEquals(2, looks[0]);
  }
}
