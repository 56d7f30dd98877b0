package io.alrai.dn.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A disk that is as full and as slow as a test says. */
public final class FakeDisk implements Disk {
  private volatile long usableBytes = Long.MAX_VALUE;
  private volatile CountDownLatch stalled = new CountDownLatch(0);
  private volatile String error = "";

  public void hasLeft(long bytes) {
    usableBytes = bytes;
  }

  public void stall() {
    stalled = new CountDownLatch(1);
  }

  public void goOn() {
    stalled.countDown();
  }

  void refuse(String how) {
    error = how;
  }

  @Override
  public long usableBytes(Path directory) {
    return usableBytes;
  }

  @Override
  public void sync(Path directory) throws IOException {
    try {
      stalled.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
    if (!error.isEmpty()) {
      throw new IOException(error);
    }
  }
}
