/* run: chooses the observers of a launch. */
#include "run.h"
#include "async.h"
#include "barriers.h"
#include "bounds.h"
#include "contents.h"
#include "endless.h"
#include "faults.h"
#include "races.h"

void run_launch(struct run *run) {
    const struct asked *asked = &run->asked;
    struct mistakes *mistakes = &run->mistakes;
    struct faults faults = faults_observer(mistakes, asked->must_end);
    struct barriers barriers = barriers_observer(mistakes, asked->mistakes);
    struct bounds bounds = bounds_observer(mistakes, asked->mistakes);
    struct races races = races_observer(mistakes, asked->notes_too);
    struct async async = async_observer(mistakes, asked->mistakes);
    struct contents_watch contents = contents_observer(mistakes);
    struct endless endless = endless_observer(mistakes, asked->endless ? &races : NULL);
    struct observer *observers[11];
    size_t count = 0;
    observers[count++] = &faults.observer;
    observers[count++] = &barriers.observer;
    observers[count++] = &bounds.observer;
    if (asked->mistakes)
        observers[count++] = &races.observer;
    observers[count++] = &async.observer;
    if (asked->mistakes)
        observers[count++] = &contents.observer;
    observers[count++] = &endless.observer;
    if (asked->counts) {
        run->counts = counts_observer();
        observers[count++] = &run->counts.observer;
        run->needs = needs_observer(&run->counts);
        observers[count++] = &run->needs.observer;
    }
    if (asked->reads) {
        run->reads = reads_observer();
        observers[count++] = &run->reads.observer;
    }
    if (asked->recording) {
        recording_observe(asked->recording, mistakes);
        observers[count++] = &asked->recording->observer;
    }
    run->outcome = replay(&run->job, &run->model, observers, count);
    run->history = races.history;
    run->recorded =
        asked->recording && asked->recording->has_kept ? &asked->recording->kept : NULL;
}

void run_end(struct run *run) {
    counts_end(&run->counts);
    needs_end(&run->needs);
    reads_end(&run->reads);
    mistakes_end(&run->mistakes);
    races_end(run->history);
}
