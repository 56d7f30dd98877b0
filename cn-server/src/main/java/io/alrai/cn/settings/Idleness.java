package io.alrai.cn.settings;

import java.util.concurrent.TimeUnit;

/**
 * Since when a client has sent nothing, and how long it may. The bounds belong to the session's
 * owner, what was seen to whoever looks, which is one thread; any thread may read.
 */
public final class Idleness {
  /** {@value}: seconds after which the session ends. */
  public static final String WAIT_TIMEOUT = "wait_timeout";

  /** {@value}: what {@link #WAIT_TIMEOUT} begins with where a person types. */
  public static final String INTERACTIVE_TIMEOUT = "interactive_timeout";

  /** MySQL's default of both. */
  private static final long DEFAULT_SECONDS = 28_800;

  private volatile long waitSeconds = DEFAULT_SECONDS;
  private volatile long interactiveSeconds = DEFAULT_SECONDS;
  private volatile long sinceMillis;
  private volatile long commandSinceMillis;
  private volatile int seenCommands;
  private boolean seenAtWork;

  /**
   * The idleness of a client that has just connected.
   *
   * @param steadyMillis {@link #steadyMillis}
   */
  public Idleness(long steadyMillis) {
    sinceMillis = steadyMillis;
    commandSinceMillis = steadyMillis;
  }

  /** A time in milliseconds that nobody sets. */
  public static long steadyMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /** The session begins. */
  public void begin(GlobalVariables globals, boolean interactive) {
    interactiveSeconds = seconds(globals, INTERACTIVE_TIMEOUT);
    waitSeconds = interactive ? interactiveSeconds : seconds(globals, WAIT_TIMEOUT);
  }

  private static long seconds(GlobalVariables globals, String name) {
    return globals.literal(name).map(Long::parseLong).orElse(DEFAULT_SECONDS);
  }

  /** Whether it is a variable of that name. */
  public static boolean isBound(String name) {
    return name.equals(WAIT_TIMEOUT) || name.equals(INTERACTIVE_TIMEOUT);
  }

  /** The value of a variable, in seconds. */
  public long bound(String name) {
    return name.equals(WAIT_TIMEOUT) ? waitSeconds : interactiveSeconds;
  }

  /** Sets a variable. */
  public void bound(String name, long seconds) {
    if (name.equals(WAIT_TIMEOUT)) {
      waitSeconds = seconds;
    } else {
      interactiveSeconds = seconds;
    }
  }

  /**
   * Somebody looks.
   *
   * @param commands how many have come in all
   * @param atWork whether one is at work
   * @return whether none has come for too long
   */
  public boolean over(int commands, boolean atWork, long steadyMillis) {
    if (commands != seenCommands) {
      commandSinceMillis = steadyMillis;
    }
    if (atWork || seenAtWork || commands != seenCommands) {
      seenAtWork = atWork;
      seenCommands = commands;
      sinceMillis = steadyMillis;
      return false;
    }
    return steadyMillis - sinceMillis >= TimeUnit.SECONDS.toMillis(waitSeconds);
  }

  /**
   * For how many milliseconds, but for a second, its last command is the last; 0 until somebody has
   * looked since it came.
   *
   * @param commands how many have come in all
   */
  public long commandMillis(int commands) {
    return commands == seenCommands ? steadyMillis() - commandSinceMillis : 0;
  }

  /** For about how many seconds it has sent nothing. */
  public long seconds() {
    return TimeUnit.MILLISECONDS.toSeconds(steadyMillis() - sinceMillis);
  }
}
