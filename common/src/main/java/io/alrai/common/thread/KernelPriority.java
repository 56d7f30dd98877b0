package io.alrai.common.thread;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandleProxies;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a platform thread is worth to Linux beside the others of the machine, mysqlds included. Only
 * downwards, which needs no privilege (setpriority(2)); there is no way back. Elsewhere than on
 * Linux all threads stay equal.
 *
 * <p>A low one keeps a part of a processor however busy the machine is: one that hardly ever ran
 * (as under SCHED_IDLE) might be stopped where it holds a lock, or where a collection of garbage
 * waits for it, and all would wait with it.
 */
public enum KernelPriority {
  /** As threads begin. */
  NORMAL,
  /** Nice 10: a tenth of the weight of a normal thread. */
  LOW;

  private static final int LOW_NICE = 10;
  private static final int WHICH_PROCESS = 0;
  private static final int CALLING_THREAD = 0;
  private static final Path OWN_THREADS = Path.of("/proc/self/task");
  private static final String COMPILER = "C2 Compiler";

  /** {@code setpriority}; public as proxies demand it. */
  @FunctionalInterface
  public interface SetPriority {
    /** 0, or -1. */
    int call(int which, int who, int nice);
  }

  /** The call of the C library. */
  private record Call(SetPriority priority) {
    static final Optional<Call> FOUND = find();

    @SuppressWarnings("restricted")
    private static Optional<Call> find() {
      if (!System.getProperty("os.name", "").equals("Linux")) {
        return Optional.empty();
      }
      ValueLayout.OfInt number = ValueLayout.JAVA_INT;
      try {
        Linker linker = Linker.nativeLinker();
        return linker
            .defaultLookup()
            .find("setpriority")
            .map(function ->
                linker.downcallHandle(
                    function, FunctionDescriptor.of(number, number, number, number)))
            .map(handle ->
                new Call(MethodHandleProxies.asInterfaceInstance(SetPriority.class, handle)));
      } catch (IllegalCallerException
          | IllegalArgumentException
          | UnsupportedOperationException e) {
        return Optional.empty();
      }
    }

    boolean lower(int thread) {
      return priority.call(WHICH_PROCESS, thread, LOW_NICE) == 0;
    }
  }

  /**
   * Gives the calling platform thread this priority for the rest of its life.
   *
   * @return whether the kernel did so
   */
  public boolean take() {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("a virtual thread has no priority of its own");
    }
    return this == NORMAL || Call.FOUND.map(call -> call.lower(CALLING_THREAD)).orElse(false);
  }

  /** Starts a daemon thread that has this priority. */
  public Thread start(String name, Runnable work) {
    return Thread.ofPlatform()
        .name(name)
        .daemon()
        .start(() -> {
          take();
          work.run();
        });
  }

  /**
   * Has the JVM's optimizing compiler give way to others, as {@link #LOW} does. It compiles what
   * runs often, whoever runs it; until then code runs as the quick compiler has made it.
   *
   * @return how many threads the compiler has now that give way
   */
  public static int lowerCompiler() {
    return Call.FOUND.map(KernelPriority::lowerCompiler).orElse(0);
  }

  private static int lowerCompiler(Call call) {
    int lowered = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(OWN_THREADS)) {
      for (Path thread : threads) {
        int id = Integer.parseInt(OWN_THREADS.relativize(thread).toString());
        if (isCompiler(thread) && call.lower(id)) {
          lowered++;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // without /proc they stay as they are
      return lowered;
    }
    return lowered;
  }

  private static boolean isCompiler(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).startsWith(COMPILER);
    } catch (IOException e) {
      // it has ended meanwhile
      return false;
    }
  }
}
