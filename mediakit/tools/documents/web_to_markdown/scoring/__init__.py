"""The model of the main content: the features of each text block, and the trees that score them.

`bench/train_reader.py` trains the models, which are the JSON files beside the modules.
"""
