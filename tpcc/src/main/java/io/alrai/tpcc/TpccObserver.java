package io.alrai.tpcc;

/** Hears what happens while a run goes on. */
public interface TpccObserver {
  /** Hears nothing. */
  TpccObserver SILENT = new TpccObserver() {};

  /**
   * A second has passed; called by the thread that called {@link TpccRun#run}.
   *
   * @param secondsToGo of warm-up and measured time together
   * @param second its figures
   */
  default void second(int secondsToGo, TpccReport.Second second) {}

  /**
   * The endpoint has acknowledged the commit of a new order, which must be there from now on;
   * called by the terminals, several at a time.
   */
  default void orderAcknowledged(int warehouse, int district, int order) {}
}
